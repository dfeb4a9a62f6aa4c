module gecc

go 1.19
